/**
 * When an approval may be given: after the whole card was visible and still for half a second, and not a moment
 * after anything changed. It starts disarmed. The browser's reading comes in, time comes from the clock.
 */
import { dialogLimits, type ErrorCode } from '@latchkey/protocol'

/** `composited`: v2, the compositor vouches. `intersecting`: v1, it is in the viewport, perhaps under something. */
export type VisibilityMethod = 'composited' | 'intersecting'

export type Visibility = { readonly visible: boolean; readonly method: VisibilityMethod }

/**
 * `disarmed`: too early, the button waits. `armed`: the card was seen whole and still for half a second.
 * `hidden`: something covers the card; nothing can be approved.
 */
export type Gate = 'disarmed' | 'armed' | 'hidden'

/** What is approved decides how well its card must be seen. */
export type ApprovalKind = 'message' | 'typed-data' | 'transaction' | 'account-change'

const trustedMethods: { readonly [kind in ApprovalKind]: readonly VisibilityMethod[] } = {
  message: ['composited', 'intersecting'],
  'typed-data': ['composited'],
  transaction: ['composited'],
  'account-change': ['composited'],
}

/** The code with which an approval is refused in a browser that can not tell well enough, if it is. */
export const gateRefusal = (kind: ApprovalKind, method: VisibilityMethod): ErrorCode | undefined =>
  trustedMethods[kind].includes(method) ? undefined : 'approval_required_elsewhere'

export type ArmingGate = {
  readonly read: (reading: Visibility) => void
  /** What is shown changed: the half second begins again. */
  readonly disarm: () => void
  readonly state: () => Gate
}

export function createGate(ports: {
  readonly after: (delayMs: number, run: () => void) => () => void
  readonly onChange: (gate: Gate) => void
}): ArmingGate {
  let gate: Gate = 'disarmed'
  let visible = false
  let stopTimer = () => {}

  function become(next: Gate) {
    if (next === gate) return
    gate = next
    ports.onChange(gate)
  }

  function begin() {
    stopTimer()
    become(gate === 'hidden' && !visible ? 'hidden' : 'disarmed')
    const then: Gate = visible ? 'armed' : 'hidden'
    stopTimer = ports.after(dialogLimits.armAfterStillMs, () => become(then))
  }

  return {
    read(reading) {
      visible = reading.visible
      begin()
    },
    disarm() {
      stopTimer()
      become('disarmed')
      begin()
    },
    state: () => gate,
  }
}
