/** How long the page's own server has to answer: the reason for a failure is only refined by it. */
const deadlineMs = 2_000

/**
 * What keeps every frame without a policy of its own off this page: a `Cross-Origin-Embedder-Policy`, whose name a page
 * is not told. Where it is isolated by it, the dialog has been asked to send one too. Its server says what it sent; one
 * that does not, or a policy that forbids to ask, leaves it open.
 */
export async function blockingEmbedderPolicy(): Promise<string | undefined> {
  if (globalThis.crossOriginIsolated) return undefined
  try {
    const { headers } = await fetch(location.href, {
      method: 'HEAD',
      signal: AbortSignal.timeout(deadlineMs),
    })
    const [, policy] = /^\s*(require-corp|credentialless)\b/.exec(headers.get(header) ?? '') ?? []
    return policy && `${header}: ${policy}`
  } catch {
    return undefined
  }
}

const header = 'Cross-Origin-Embedder-Policy'
