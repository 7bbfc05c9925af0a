import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { loaderLimits } from './limits.ts'
import type { SecondFileForFrame } from './second-file.ts'
import { within } from './waiting.ts'

/** Why the frame does not come, and whether that is certain or may still be slowness. */
export type Diagnosis = { certain: boolean; error: LatchkeyError }

/** The second file finds out. It may be as far out of reach as the frame: why it did not come has to do then. */
export async function diagnose(
  dialogUrl: string,
  appId: string,
  loadSecondFile: () => Promise<SecondFileForFrame>,
): Promise<Diagnosis> {
  try {
    const { findOutWhy } = await within(loaderLimits.secondFileTimeoutMs, loadSecondFile())
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
