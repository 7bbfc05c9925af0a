/** The window that opened this page hears what came of its request, where it is one of the app's own origins. */
import { product } from '@latchkey/protocol'

export type OpenerMessage = { result: string } | { error: string }

export function tellOpener(
  opener: Pick<Window, 'postMessage'> | null,
  origins: readonly string[],
  message: OpenerMessage,
): void {
  const type = 'result' in message ? product.crossApp.response : product.crossApp.error
  // A window is told only while it is at the origin that is named.
  for (const origin of origins) opener?.postMessage({ type, ...message }, origin)
}
