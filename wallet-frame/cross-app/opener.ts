/**
 * Posts the outcome of a request to the window that opened this page, if it is at one of the app's origins.
 */
import { product } from '@latchkey/protocol'

export type OpenerMessage = { result: string } | { error: string }

export function notifyOpener(
  opener: Pick<Window, 'postMessage'> | null,
  origins: readonly string[],
  message: OpenerMessage,
): void {
  const type = 'result' in message ? product.crossApp.response : product.crossApp.error
  // The browser delivers the message only if the window is at this origin.
  for (const origin of origins) opener?.postMessage({ type, ...message }, origin)
}
