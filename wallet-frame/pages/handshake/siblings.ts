/** Other frames of this origin in the dialog. A window of another origin shows no address, so it is none of them. */
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

function siblings(): readonly Window[] {
  const { parent } = window
  return Array.from({ length: parent.length }, (_, at) => parent[at]).filter((frame) => frame !== undefined)
}

/** The last one where there are several: those before are on their way out. */
export const siblingAt = (path: string): Window | undefined =>
  siblings().findLast((frame) => isAt(frame, path))

/** A page that is still loading says something when it has come. */
export async function comingSibling(path: string, signal: AbortSignal): Promise<Window> {
  const found = siblingAt(path)
  if (found) return found
  const over = new AbortController()
  const coming = new Promise<Window>((resolve) => {
    addEventListener(
      'message',
      ({ source, origin }) => {
        const sender = origin === location.origin && siblings().find((frame) => frame === source)
        if (sender && isAt(sender, path)) resolve(sender)
      },
      { signal: over.signal },
    )
  })
  return untilAborted(coming, signal).finally(() => over.abort())
}
