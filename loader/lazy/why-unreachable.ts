import { type ErrorCode, productName } from '@latchkey/protocol'
import { watchPolicy } from '../frame/blocked-by-policy.ts'
import { statusAddress } from '../frame/dialog-address.ts'
import { loaderLimits } from '../frame/limits.ts'
import type { Finding } from '../frame/second-file.ts'
import { warnOnce } from '../frame/warn-once.ts'

/** How long the page's own server has to answer: the reason for a failure is only refined by it. */
const deadlineMs = 2_000

/** A browser never says why a frame failed; the server does, to any origin that asks. */
export async function findOutWhy(dialogUrl: string, appId: string): Promise<Finding> {
  const { origin } = new URL(dialogUrl)
  let blocked = false
  const unwatch = watchPolicy(origin, /^connect-src$/, () => {
    blocked = true
  })
  try {
    const response = await fetch(statusAddress(dialogUrl, appId), {
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(loaderLimits.statusProbeTimeoutMs),
    })
    const body: unknown = response.ok ? await response.json() : {}
    const status = typeof body === 'object' && body !== null && 'status' in body ? body.status : undefined
    switch (status) {
      case 'ok': {
        const policy = await blockingEmbedderPolicy()
        if (policy === undefined) return maybe('The dialog did not answer, although its server does')
        return certainly(
          'host_blocks_frame',
          `This page sends ${policy}, which blocks the frame: send Cross-Origin-Opener-Policy: same-origin too, or neither`,
        )
      }
      case 'unknown_app':
        return mended(
          certainly('missing_or_invalid_latchkey_app_id', `The server has no app with the id ${appId}`),
          `npm run app -- create --name "My app" --origin ${location.origin}`,
        )
      case 'origin_not_allowed':
        return mended(
          certainly('origin_not_allowed', `The app does not list the origin ${location.origin}`),
          `npm run app -- origins ${appId} add ${location.origin}`,
        )
      default:
        return certainly('server_unreachable', `${origin} does not answer as a dialog server`, {
          details: { httpStatus: response.status },
        })
    }
  } catch (cause) {
    await new Promise((resolve) => setTimeout(resolve, loaderLimits.violationReportMs))
    if (blocked) {
      return maybe(
        `The dialog did not answer, and the connect-src policy of this page has to allow ${origin} to tell why`,
      )
    }
    return certainly('server_unreachable', `${origin} cannot be reached`, { cause })
  } finally {
    unwatch()
  }
}

/** Whoever builds the page is told what mends it, where the server is their own. */
function mended(finding: Finding, command: string): Finding {
  warnOnce(`${finding.message}. Whoever runs ${productName} mends it with: ${command}`)
  return finding
}

const maybe = (message: string): Finding => ({ certain: false, code: 'frame_unresponsive', message })

const certainly = (code: ErrorCode, message: string, more?: Pick<Finding, 'details' | 'cause'>): Finding => ({
  certain: true,
  code,
  message,
  ...more,
})

/**
 * What keeps every frame without a policy of its own off this page: a `Cross-Origin-Embedder-Policy`, whose name a page
 * is not told. Where it is isolated by it, the dialog has been asked to send one too. Its server says what it sent; one
 * that does not, or a policy that forbids to ask, leaves it open.
 */
async function blockingEmbedderPolicy(): Promise<string | undefined> {
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
