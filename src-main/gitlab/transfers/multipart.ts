/**
 * @file A multipart/form-data body around one file. Its exact length is known beforehand, and the file is streamed. The
 * hash of the file is compared before the closing boundary is sent, so a changed file never arrives as a complete body.
 */
import { createHash, randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { AppError } from '../../../src-contract/errors.ts';

export interface MultipartBody {
  contentType: string;
  contentLength: number;
  /**
   * Yields the body from its start; each call reads the file again. A chunk is overwritten once the next chunk is
   * requested. Throws `archive-changed` or `archive-missing`; for files other than archives, `invalid-input`.
   */
  chunks: () => AsyncIterable<Uint8Array>;
}

export interface FilePart {
  field: string;
  path: string;
  fileName: string;
  sizeBytes: number;
  /** Lower-case hex; null for a file other than an archive, for which any content of the right size is accepted. */
  sha256: string | null;
}

/** Size of the pieces that are read. Larger pieces are hardly faster. */
const pieceBytes = 1024 * 1024;

/** The file is last, so that a server gets all fields before it. */
export function multipartBody(
  fields: ReadonlyArray<readonly [string, string]>,
  file: FilePart,
): MultipartBody {
  const boundary = `packhorse-${randomBytes(16).toString('hex')}`;
  const head = Buffer.from(
    [
      ...fields.map(
        ([name, value]) =>
          `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"\r\n\r\n${value}\r\n`,
      ),
      `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(file.field)}"; ` +
        `filename="${escapeName(file.fileName)}"\r\nContent-Type: ${typeOf(file)}\r\n\r\n`,
    ].join(''),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: head.byteLength + file.sizeBytes + tail.byteLength,
    async *chunks() {
      yield head;
      yield* checkedFile(file);
      yield tail;
    },
  };
}

async function* checkedFile(file: FilePart): AsyncGenerator<Uint8Array> {
  const isArchive = file.sha256 !== null;
  const noun = isArchive ? 'archive' : 'file';
  const changedError = (why: string) =>
    new AppError(
      isArchive ? 'archive-changed' : 'invalid-input',
      `The ${noun} ${file.path} has changed: ${why}.`,
      { details: { path: file.path } },
    );
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of piecesOf(file.path)) {
      size += chunk.byteLength;
      if (size > file.sizeBytes) throw changedError('it has grown');
      // Hashes while the piece is sent.
      const hashed = new Promise<void>((done) => {
        setImmediate(() => {
          hash.update(chunk);
          done();
        });
      });
      yield chunk;
      await hashed;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = isArchive ? 'archive-missing' : 'invalid-input';
    const details = { path: file.path, reason: (error as NodeJS.ErrnoException).code ?? null };
    throw new AppError(code, `The ${noun} ${file.path} cannot be read.`, { details });
  }
  if (size < file.sizeBytes) throw changedError('it has shrunk');
  if (isArchive && hash.digest('hex') !== file.sha256) throw changedError('its content differs');
}

/** Reads ahead. Two buffers alternate, because new memory for every piece took longer than reading it. */
async function* piecesOf(path: string): AsyncGenerator<Buffer, void> {
  const file = await open(path);
  let [buffer, spareBuffer] = [Buffer.allocUnsafeSlow(pieceBytes), Buffer.allocUnsafeSlow(pieceBytes)];
  const read = () => {
    const promise = file.read(buffer, 0, pieceBytes);
    // The read may fail before it is awaited.
    promise.catch(() => undefined);
    return promise;
  };
  let pendingRead = read();
  try {
    for (let { bytesRead } = await pendingRead; bytesRead > 0; { bytesRead } = await pendingRead) {
      const piece = buffer.subarray(0, bytesRead);
      [buffer, spareBuffer] = [spareBuffer, buffer];
      pendingRead = read();
      yield piece;
    }
  } finally {
    // The file must not be closed during a read.
    await pendingRead.catch(() => undefined);
    await file.close();
  }
}

const typeOf = ({ sha256 }: FilePart): string =>
  sha256 === null ? 'application/octet-stream' : 'application/gzip';

/** Escapes the three characters that would end the quoted name or the header, as the HTML standard requires. */
function escapeName(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
