import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { errorText } from '../../../src-contract/error-messages.ts';
import { AppError, errorCodes } from '../../../src-contract/errors.ts';
import ErrorNotice from '../../../src-renderer/kit/feedback/ErrorNotice.svelte';
import { expectAccessible, scriptWindow } from '../support/window.ts';

const payload = '<img src=x onerror="document.title=\'ran\'">';

test.each(errorCodes)('the error %s states what happened and what to do', async (code) => {
  scriptWindow();
  const error = new AppError(code, payload, { details: { serverMessage: payload, name: payload } }).toData();
  const expected = errorText(error);
  const screen = await render(ErrorNotice, { error });
  const notice = screen.getByRole('alert');
  for (const sentence of [expected.what, expected.todo]) {
    expect(sentence.trim()).not.toBe('');
    expect(notice.element().textContent).toContain(sentence);
  }
  expect(notice.element().querySelector('img')).toBeNull();
  expect(document.title).not.toBe('ran');
});

test('an error notice is accessible', async () => {
  scriptWindow();
  await render(ErrorNotice, { error: new AppError('disk-full', 'x').toData(), onretry: () => undefined });
  await expectAccessible();
});
