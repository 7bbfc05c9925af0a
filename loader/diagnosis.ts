import { LatchkeyError } from '@latchkey/protocol'
import { loaderLimits } from './limits.ts'
import type { LoadMore } from './load-more.ts'
import { within } from './within.ts'

/** Why the frame does not come, and whether that is certain or may still be slowness. */
export type Diagnosis = { readonly certain: boolean; readonly error: LatchkeyError }

/** The second file finds out. It may be as far out of reach as the frame: without it a sentence has to do. */
export async function diagnose(dialogUrl: string, appId: string, loadMore: LoadMore): Promise<Diagnosis> {
  try {
    const { findOutWhy } = await within(loaderLimits.moreTimeoutMs, loadMore())
    const { certain, code, message, ...more } = await findOutWhy(dialogUrl, appId)
    return { certain, error: new LatchkeyError(code, message, more) }
  } catch (cause) {
    const { origin } = new URL(dialogUrl)
    return {
      certain: false,
      error: new LatchkeyError(
        'server_unreachable',
        `${origin} did not answer; script-src and trusted-types of this page must allow loader-more.js to tell why`,
        { cause },
      ),
    }
  }
}
