import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import type { LoadMore } from '../start/pinned-script.ts'
import { loaderLimits } from './limits.ts'
import { within } from './within.ts'

/** Why the frame does not come, and whether that is certain or may still be slowness. */
export type Diagnosis = { readonly certain: boolean; readonly error: LatchkeyError }

/** The second file finds out. It may be as far out of reach as the frame: why it did not come has to do then. */
export async function diagnose(dialogUrl: string, appId: string, loadMore: LoadMore): Promise<Diagnosis> {
  try {
    const { findOutWhy } = await within(loaderLimits.moreTimeoutMs, loadMore())
    const { certain, code, message, ...more } = await findOutWhy(dialogUrl, appId)
    return { certain, error: new LatchkeyError(code, message, more) }
  } catch (cause) {
    const { origin } = new URL(dialogUrl)
    return {
      certain: false,
      error: toLatchkeyError(cause, 'server_unreachable', `${origin} did not answer`),
    }
  }
}
