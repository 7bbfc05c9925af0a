import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** The bytes of one file, as it is and as it goes over the wire. */
export const sizesOf = (content) => {
  const bytes = Buffer.from(content)
  return {
    raw: bytes.byteLength,
    gzip: gzipSync(bytes, { level: 9 }).byteLength,
    brotli: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).byteLength,
  }
}
