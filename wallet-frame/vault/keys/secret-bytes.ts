/**
 * Byte arrays of secrets, which are zeroed after use.
 *
 * JavaScript cannot prove that memory was erased: an engine may have copied an array, and big integers inside
 * the curve code are out of reach. Such copies end with the worker, a minute after its last operation.
 */
export type SecretBytes = Uint8Array<ArrayBuffer>

export function wipe(...secrets: readonly (Uint8Array | null | undefined)[]): void {
  for (const secret of secrets) secret?.fill(0)
}

/** Runs `use` and zeroes the secret afterwards, whether it returned or threw. */
export async function withSecret<T>(
  secret: SecretBytes | Promise<SecretBytes>,
  use: (secret: SecretBytes) => T | Promise<T>,
): Promise<T> {
  const bytes = await secret
  try {
    return await use(bytes)
  } finally {
    wipe(bytes)
  }
}
