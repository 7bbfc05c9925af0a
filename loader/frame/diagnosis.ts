import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { loaderLimits } from './limits.ts'
import type { SecondFileForFrame } from './second-file.ts'
import { withTimeout } from './waiting.ts'

/** The reason why the frame does not load, and whether it is certain. An uncertain one may be slowness. */
export type Diagnosis = { certain: boolean; error: LatchkeyError }

/**
 * Diagnoses a missing frame with the second file. If that file is unreachable too, its error is the diagnosis.
 */
export async function diagnose(
  dialogUrl: string,
  appId: string,
  loadSecondFile: () => Promise<SecondFileForFrame>,
): Promise<Diagnosis> {
  try {
    const { diagnoseFrame } = await withTimeout(loaderLimits.secondFileTimeoutMs, loadSecondFile())
    const { certain, code, message, ...more } = await diagnoseFrame(dialogUrl, appId)
    return { certain, error: new LatchkeyError(code, message, more) }
  } catch (cause) {
    const { origin } = new URL(dialogUrl)
    return {
      certain: false,
      error: toLatchkeyError(cause, 'server_unreachable', `${origin} did not answer`),
    }
  }
}
