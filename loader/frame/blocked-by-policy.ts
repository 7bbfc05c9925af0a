/**
 * Tells at once what a browser otherwise hides: that the Content-Security-Policy of this page keeps something from
 * reaching this origin. A blocked frame fires `load` like any other.
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

/** Browsers tell the origin alone, or the whole address. */
const isFrom = (origin: string, address: string) => address === origin || address.startsWith(`${origin}/`)
