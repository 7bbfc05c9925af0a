/** A line of `latchkey doctor`. */
export type Finding = {
  check: string
  state: 'ok' | 'warning' | 'failed'
  message: string
  /** The next step of the operator. */
  advice?: string
}

/** Builds the findings of one check. */
export const findings = (check: string) => ({
  ok: (message: string): Finding => ({ check, state: 'ok', message }),
  warning: (message: string, advice: string): Finding => ({ check, state: 'warning', message, advice }),
  failed: (message: string, advice: string): Finding => ({ check, state: 'failed', message, advice }),
})
