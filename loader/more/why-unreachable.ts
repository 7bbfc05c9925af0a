import { LatchkeyError } from '@latchkey/protocol'
import { statusAddress } from './dialog-address.ts'
import { loaderLimits } from './limits.ts'

/** Why the frame does not come. What is not certain may still be slowness: the handshake keeps its deadline. */
export type Diagnosis = { readonly certain: boolean; readonly error: LatchkeyError }

/** A browser never says why a frame failed; the server does, to any origin that asks. */
export async function diagnose(
  dialogUrl: string,
  appId: string,
  requestWasBlocked: () => boolean,
): Promise<Diagnosis> {
  const { origin } = new URL(dialogUrl)
  try {
    const response = await fetch(statusAddress(dialogUrl, appId), {
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(loaderLimits.statusProbeTimeoutMs),
    })
    const body: unknown = response.ok ? await response.json() : {}
    const status = typeof body === 'object' && body !== null && 'status' in body ? body.status : undefined
    switch (status) {
      case 'ok':
        return maybe('The dialog did not answer, although its server does')
      case 'unknown_app':
        return certainly('missing_or_invalid_latchkey_app_id', `The server has no app with the id ${appId}`)
      case 'origin_not_allowed':
        return certainly('origin_not_allowed', `The app does not list the origin ${location.origin}`)
      default:
        return certainly('server_unreachable', `${origin} does not answer as a dialog server`, {
          details: { httpStatus: response.status },
        })
    }
  } catch (cause) {
    await new Promise((resolve) => setTimeout(resolve, loaderLimits.violationReportMs))
    if (requestWasBlocked()) {
      return maybe(
        `The dialog did not answer, and the connect-src policy of this page has to allow ${origin} to tell why`,
      )
    }
    return certainly('server_unreachable', `${origin} cannot be reached`, { cause })
  }
}

const maybe = (message: string): Diagnosis => ({
  certain: false,
  error: new LatchkeyError('frame_unresponsive', message),
})

const certainly = (...error: ConstructorParameters<typeof LatchkeyError>): Diagnosis => ({
  certain: true,
  error: new LatchkeyError(...error),
})
