/** What `personal_sign` is given: bytes as hex, or a text, as libraries of either kind write it. */
const bytesInHex = /^0x(?:[0-9a-fA-F]{2})*$/

/** As `signMessage` takes it. */
export const messageOf = (message: string): string | { readonly raw: string } =>
  bytesInHex.test(message) ? { raw: message } : message
