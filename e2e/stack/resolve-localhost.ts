import dns from 'node:dns'

/**
 * Browsers resolve `*.localhost` by themselves; Node asks the system, which may not know it. Requests that
 * Playwright makes on the browser's behalf (`route.fetch`) go through Node.
 */
const lookup = dns.lookup
type Lookup = (hostname: string, ...rest: readonly unknown[]) => void
Reflect.set(dns, 'lookup', ((hostname, ...rest) =>
  (lookup as Lookup)(hostname.endsWith('.localhost') ? '127.0.0.1' : hostname, ...rest)) as Lookup)
