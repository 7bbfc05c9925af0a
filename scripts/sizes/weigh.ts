import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

export type Sizes = { readonly raw: number; readonly gzip: number; readonly brotli: number }

/** The bytes of one file, as it is and as it goes over the wire. */
export const sizesOf = (content: string | Uint8Array): Sizes => {
  const bytes = Buffer.from(content)
  return {
    raw: bytes.byteLength,
    gzip: gzipSync(bytes, { level: 9 }).byteLength,
    brotli: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).byteLength,
  }
}
