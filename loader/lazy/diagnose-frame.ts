import type { ErrorCode } from '@latchkey/protocol'
import { watchPolicy } from '../frame/blocked-by-policy.ts'
import { statusAddress } from '../frame/dialog-address.ts'
import { loaderLimits } from '../frame/limits.ts'
import type { Finding } from '../frame/second-file.ts'
import { warnOnce } from '../frame/warn-once.ts'

/** Timeout for the page's own server. Its response only refines the diagnosis. */
const deadlineMs = 2_000

/** Diagnoses why a frame failed. Browsers do not report the reason, so it asks the server's status endpoint. */
export async function diagnoseFrame(dialogUrl: string, appId: string): Promise<Finding> {
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
        if (policy === undefined) return uncertain('The dialog did not answer, although its server does')
        return certain(
          'host_blocks_frame',
          `This page sends ${policy}, which blocks the frame. Send Cross-Origin-Opener-Policy: same-origin as well, or remove both`,
        )
      }
      case 'unknown_app':
        return withFix(
          certain('missing_or_invalid_latchkey_app_id', `The server has no app with the id ${appId}`),
          `npm run app -- create --name "My app" --origin ${location.origin}`,
        )
      case 'origin_not_allowed':
        return withFix(
          certain('origin_not_allowed', `The app does not list the origin ${location.origin}`),
          `npm run app -- origins ${appId} add ${location.origin}`,
        )
      default:
        return certain('server_unreachable', `${origin} does not respond like a dialog server`, {
          details: { httpStatus: response.status },
        })
    }
  } catch (cause) {
    await new Promise((resolve) => setTimeout(resolve, loaderLimits.violationReportMs))
    if (blocked) {
      return uncertain(
        `The dialog did not answer. Allow ${origin} in the connect-src policy of this page to see why`,
      )
    }
    return certain('server_unreachable', `${origin} cannot be reached`, { cause })
  } finally {
    unwatch()
  }
}

/** Adds a console warning with the command that fixes the problem on your own server. */
function withFix(finding: Finding, command: string): Finding {
  warnOnce(`${finding.message}. Fix it on the server with: ${command}`)
  return finding
}

const uncertain = (message: string): Finding => ({ certain: false, code: 'frame_unresponsive', message })

const certain = (code: ErrorCode, message: string, more?: Pick<Finding, 'details' | 'cause'>): Finding => ({
  certain: true,
  code,
  message,
  ...more,
})

/**
 * Returns the page's `Cross-Origin-Embedder-Policy` if it blocks the frame. A page cannot read its own policy,
 * so its server is asked with a HEAD request. A page that is isolated by the policy is no problem: the dialog
 * then sends one too. Returns undefined if the request fails.
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
