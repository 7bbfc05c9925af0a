import { approvalLimits } from '../../limits/approval.ts'
import type { Surface } from './gate.ts'

/**
 * A window. Nothing can cover its page, but it may appear under a pointer that is about to press something else. So a
 * pointer or a focus is quick only if it came after the gate armed.
 */
export const windowSurface: Surface = {
  leastWidthPx: approvalLimits.leastCardWidthPx,
  leastHeightPx: approvalLimits.leastCardHeightPx,
  sampleLastsMs: Number.POSITIVE_INFINITY,
  needsNewFocus: true,
  hasTravelled: ({ overMs = 0 }, armedMs) => overMs > armedMs,
}

/** A wallet page in a frame on the card. The dialog may move it under the pointer. */
export const framedPageSurface: Surface = {
  ...windowSurface,
  leastWidthPx: approvalLimits.leastFramedPageWidthPx,
  leastHeightPx: approvalLimits.leastFramedPageHeightPx,
  hasTravelled: () => false,
}
