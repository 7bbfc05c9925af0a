/** Faults that a test can set: a third party is down, refuses requests, or never responds. */

/** `stall` delays every response until another fault is set. */
export const faults = {
  farcaster: ['none', 'failing', 'garbage', 'too-many-requests', 'stall'],
  smtp: ['none', 'refuse', 'stall'],
  /** `expired` rejects every token. `full` rejects writes. */
  googleDrive: ['none', 'failing', 'expired', 'full', 'stall'],
  cloudKit: ['none', 'failing', 'expired', 'full', 'stall'],
  /**
   * A paymaster and its bundler. `garbage` and `wrong-final`: the stub answer has a wrong `isFinal`. `changed`: the final
   * answer names another paymaster. `expired`: it has expired when the bundler receives it.
   */
  erc4337: ['none', 'refuses', 'garbage', 'wrong-final', 'changed', 'expired', 'bundler-failing', 'stall'],
  issuer: ['none', 'failing', 'stall'],
  /** Faults of the API. `empty` responds without the payment. */
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
  /**
   * The `Cross-Origin-Opener-Policy` of the consent page. Not a fault, but clients must handle each value.
   */
  oauthPage: ['none', 'same-origin', 'same-origin-allow-popups'],
  /** `stale` returns prices that are an hour old. */
  priceFeed: ['none', 'failing', 'garbage', 'too-many-requests', 'stale', 'stall'],
  telegram: ['none', 'stall'],
  /** The `Cross-Origin-Opener-Policy` of the page, as for `oauthPage`. */
  telegramPage: ['none', 'same-origin', 'same-origin-allow-popups'],
  /** Faults of the server API. */
  turnstile: ['none', 'failing', 'wrong-secret', 'spent', 'stall'],
  /** Faults of the widget. `blocked` serves no script, like an ad blocker. */
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
  /** Faults of the relay. `drop` accepts messages and delivers none. */
  walletconnect: ['none', 'refuse', 'unknown-project', 'drop', 'stall'],
} as const

export type ThirdParty = keyof typeof faults
export type Fault<Name extends ThirdParty> = (typeof faults)[Name][number]
export type Faults = { [Name in ThirdParty]: Fault<Name> }

export type FaultSwitch = {
  current: () => Faults
  /** Changes only the given faults. */
  set: (changed: Partial<Faults>) => void
  /** Resolves with the current fault, after a stall has ended. */
  afterStall: <Name extends ThirdParty>(name: Name) => Promise<Exclude<Fault<Name>, 'stall'>>
}

const isNotStall = <Value extends string>(fault: Value): fault is Exclude<Value, 'stall'> => fault !== 'stall'

export const createFaultSwitch = (): FaultSwitch => {
  let current: Faults = {
    farcaster: 'none',
    smtp: 'none',
    googleDrive: 'none',
    cloudKit: 'none',
    erc4337: 'none',
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
    afterStall: async (name) => {
      for (;;) {
        const fault = current[name]
        if (isNotStall(fault)) return fault
        await new Promise<void>((resolve) => waiting.add(resolve))
      }
    },
  }
}

const isThirdParty = (name: string): name is ThirdParty => Object.hasOwn(faults, name)

/** Returns undefined if the value is not a valid set of faults. */
export const parseFaults = (value: unknown): Partial<Faults> | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const entries = Object.entries(value)
  const isValid = entries.every(
    ([name, fault]) => isThirdParty(name) && faults[name].some((one: string) => one === fault),
  )
  return isValid && entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** The valid faults, for the error response to an invalid request. */
export const faultsHelp = Object.entries(faults)
  .map(([name, values]) => `${name}?: ${values.join(' | ')}`)
  .join(', ')
