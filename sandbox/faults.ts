/** Faults that a test switches on: the stranger that we stand for is down, or never answers. */

export const smtpFaults = ['none', 'refuse', 'stall'] as const
export type SmtpFault = (typeof smtpFaults)[number]

export type Faults = { readonly smtp: SmtpFault }

export type FaultSwitch = {
  current: () => Faults
  set: (faults: Faults) => void
  /** Resolves at once, or when a stall ends; the answer is the fault that then holds. */
  passed: () => Promise<Exclude<SmtpFault, 'stall'>>
}

export const createFaultSwitch = (): FaultSwitch => {
  let faults: Faults = { smtp: 'none' }
  const waiting = new Set<() => void>()

  const passed: FaultSwitch['passed'] = async () => {
    for (;;) {
      const { smtp } = faults
      if (smtp !== 'stall') return smtp
      await new Promise<void>((resolve) => waiting.add(resolve))
    }
  }

  return {
    current: () => faults,
    set: (next) => {
      faults = next
      const released = [...waiting]
      waiting.clear()
      for (const release of released) release()
    },
    passed,
  }
}

/** Undefined when the value is no set of faults. */
export const parseFaults = (value: unknown): Faults | undefined => {
  if (typeof value !== 'object' || value === null || !('smtp' in value)) return undefined
  if (Object.keys(value).length !== 1) return undefined
  const smtp = smtpFaults.find((fault) => fault === value.smtp)
  return smtp === undefined ? undefined : { smtp }
}
