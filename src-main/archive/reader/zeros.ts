const zeroBlock = Buffer.alloc(64 * 1024);

/** Returns whether all bytes are zero. Compares blocks, because checking every byte of 50 MB takes a second. */
export function isAllZeros(bytes: Uint8Array): boolean {
  for (let offset = 0; offset < bytes.length; offset += zeroBlock.length) {
    const piece = bytes.subarray(offset, offset + zeroBlock.length);
    if (!zeroBlock.subarray(0, piece.length).equals(piece)) return false;
  }
  return true;
}
