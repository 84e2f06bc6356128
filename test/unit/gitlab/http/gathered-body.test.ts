import { expect, it, vi } from 'vitest';
import { BodyBuffer } from '../../../../src-main/gitlab/http/gathered-body.ts';

const gathered = (...pieces: (string | Uint8Array)[]): BodyBuffer => {
  const body = new BodyBuffer();
  for (const piece of pieces) body.add(Buffer.from(piece));
  return body;
};

it('a gathered body contains all received bytes in order, whatever the size of the pieces', () => {
  const text = JSON.stringify({ description: 'Żółw 😀'.repeat(1000) });
  const bytes = Buffer.from(text);
  for (const size of [1, 7, 1000, bytes.length]) {
    const body = gathered('');
    for (let at = 0; at < bytes.length; at += size) body.add(bytes.subarray(at, at + size));
    expect(body.size).toBe(bytes.length);
    expect(body.takeText()).toBe(text);
  }
});

it('a gathered body is empty and its memory is freed after its text has been taken', () => {
  const transfer = vi.spyOn(ArrayBuffer.prototype, 'transfer');
  const body = gathered('[1', ']');
  const memory = transfer.mock.results.at(-1)?.value as ArrayBuffer;
  transfer.mockRestore();
  expect([body.prefixText(2), body.prefixText(256)]).toEqual(['[1', '[1]']);
  expect(body.takeText()).toBe('[1]');
  expect([body.size, body.prefixText(256)]).toEqual([0, '']);
  expect(memory.detached).toBe(true);
});

it('a gathered body copies its pieces, so that the caller may reuse their memory', () => {
  const piece = Buffer.from('ab');
  const body = gathered();
  body.add(piece);
  piece.fill('x');
  expect(body.takeText()).toBe('ab');
});

it('a gathered body throws if its bytes are not UTF-8', () => {
  expect(() => gathered('"', new Uint8Array([0xff]), '"').takeText()).toThrow(TypeError);
});
