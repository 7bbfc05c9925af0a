/**
 * Calls back when this page's Content-Security-Policy blocks a request to the origin. Returns a function that
 * stops watching. A violation event is the only sign: a blocked frame fires `load` like any other.
 */
export function watchPolicy(origin: string, directives: RegExp, onBlocked: () => void): () => void {
  const listen = ({ disposition, blockedURI, effectiveDirective }: SecurityPolicyViolationEvent) => {
    if (disposition === 'enforce' && isFrom(origin, blockedURI) && directives.test(effectiveDirective)) {
      onBlocked()
    }
  }
  document.addEventListener('securitypolicyviolation', listen)
  return () => document.removeEventListener('securitypolicyviolation', listen)
}

/** Browsers report either the origin or the full URL. */
const isFrom = (origin: string, address: string) => address === origin || address.startsWith(`${origin}/`)
