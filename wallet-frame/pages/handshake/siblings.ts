/** Other frames of this origin in the dialog. Windows of other origins hide their URL and are skipped. */
import { untilAborted } from '../../abort.ts'

export const framePath = (appId: string) => `/apps/${appId}/embedded-wallets`
export const pagePath = (appId: string, page: string) => `${framePath(appId)}/${page}`

const isAt = (other: Window, path: string): boolean => {
  try {
    return other !== window && other.location.origin === location.origin && other.location.pathname === path
  } catch {
    return false
  }
}

function getSiblings(): readonly Window[] {
  const { parent } = window
  return Array.from({ length: parent.length }, (_, at) => parent[at]).filter((frame) => frame !== undefined)
}

/** Returns the last match, because earlier frames are being removed. */
export const findSibling = (path: string): Window | undefined =>
  getSiblings().findLast((frame) => isAt(frame, path))

/** Waits for a frame at this path. A loading page posts a message when it is ready. */
export async function waitForSibling(path: string, signal: AbortSignal): Promise<Window> {
  const present = findSibling(path)
  if (present) return present
  const over = new AbortController()
  const coming = new Promise<Window>((resolve) => {
    addEventListener(
      'message',
      ({ source, origin }) => {
        const sender = origin === location.origin && getSiblings().find((frame) => frame === source)
        if (sender && isAt(sender, path)) resolve(sender)
      },
      { signal: over.signal },
    )
  })
  return untilAborted(coming, signal).finally(() => over.abort())
}
