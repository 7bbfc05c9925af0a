/** Faults that a test switches on: the stranger that we stand for is down, refuses, or never answers. */

/** `stall` holds every answer back until another fault is set. */
export const faults = {
  farcaster: ['none', 'failing', 'garbage', 'too-many-requests', 'stall'],
  smtp: ['none', 'refuse', 'stall'],
  /** `expired`: whatever it is asked with. `full`: nothing is written any more. */
  googleDrive: ['none', 'failing', 'expired', 'full', 'stall'],
  cloudKit: ['none', 'failing', 'expired', 'full', 'stall'],
  issuer: ['none', 'failing', 'stall'],
  /** Faults of its API. `empty` answers without the payment. */
  moonpay: ['none', 'failing', 'garbage', 'empty', 'too-many-requests', 'stall'],
  oauth: [
    'none',
    'failing',
    'failing-api',
    'silent-api',
    'garbage',
    'wrong-issuer',
    'wrong-key',
    'wrong-nonce',
    'stall',
  ],
  /** `Cross-Origin-Opener-Policy` of the consent page: no fault, but not to be counted on either. */
  oauthPage: ['none', 'same-origin', 'same-origin-allow-popups'],
  /** `stale`: its prices are an hour old. */
  priceFeed: ['none', 'failing', 'garbage', 'too-many-requests', 'stale', 'stall'],
  telegram: ['none', 'stall'],
  /** `Cross-Origin-Opener-Policy` of the page, as with `oauthPage`. */
  telegramPage: ['none', 'same-origin', 'same-origin-allow-popups'],
  /** Faults of the calls of servers. */
  turnstile: ['none', 'failing', 'wrong-secret', 'spent', 'stall'],
  /** Faults of the widget in a page. `blocked` serves no script, like an ad blocker. */
  turnstileWidget: ['none', 'fails', 'interactive', 'blocked', 'stall'],
  twilio: [
    'none',
    'failing',
    'wrong-credentials',
    'too-many-requests',
    'blocked-region',
    'fraud',
    'unsubscribed',
    'stall',
  ],
  /** The relay. `drop`: it takes messages and delivers none. */
  walletconnect: ['none', 'refuse', 'unknown-project', 'drop', 'stall'],
} as const

export type Stranger = keyof typeof faults
export type Fault<Name extends Stranger> = (typeof faults)[Name][number]
export type Faults = { [Name in Stranger]: Fault<Name> }

export type FaultSwitch = {
  current: () => Faults
  /** Changes only the faults that are named. */
  set: (changed: Partial<Faults>) => void
  /** Resolves at once, or when a stall ends; the answer is the fault that then holds. */
  passed: <Name extends Stranger>(name: Name) => Promise<Exclude<Fault<Name>, 'stall'>>
}

const isNotStall = <Value extends string>(fault: Value): fault is Exclude<Value, 'stall'> => fault !== 'stall'

export const createFaultSwitch = (): FaultSwitch => {
  let current: Faults = {
    farcaster: 'none',
    smtp: 'none',
    googleDrive: 'none',
    cloudKit: 'none',
    issuer: 'none',
    moonpay: 'none',
    oauth: 'none',
    oauthPage: 'none',
    priceFeed: 'none',
    telegram: 'none',
    telegramPage: 'none',
    turnstile: 'none',
    turnstileWidget: 'none',
    twilio: 'none',
    walletconnect: 'none',
  }
  const waiting = new Set<() => void>()

  return {
    current: () => current,
    set: (changed) => {
      current = { ...current, ...changed }
      const released = [...waiting]
      waiting.clear()
      for (const release of released) release()
    },
    passed: async (name) => {
      for (;;) {
        const fault = current[name]
        if (isNotStall(fault)) return fault
        await new Promise<void>((resolve) => waiting.add(resolve))
      }
    },
  }
}

const isStranger = (name: string): name is Stranger => Object.hasOwn(faults, name)

/** Gives undefined if the value is no set of faults. */
export const parseFaults = (value: unknown): Partial<Faults> | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const entries = Object.entries(value)
  const known = entries.every(
    ([name, fault]) => isStranger(name) && faults[name].some((one: string) => one === fault),
  )
  return known && entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** The faults that can be set, for the answer to an invalid request. */
export const faultsInWords = Object.entries(faults)
  .map(([name, known]) => `${name}?: ${known.join(' | ')}`)
  .join(', ')
