/** What the Content-Security-Policy of this page keeps from reaching the dialog's origin. */
export type BlockedUse = 'frame' | 'request'

/** Tells at once what a browser otherwise hides: a blocked frame fires `load` like any other. */
export function watchPolicy(origin: string, onBlocked: (use: BlockedUse) => void): () => void {
  const listen = ({ disposition, blockedURI, effectiveDirective }: SecurityPolicyViolationEvent) => {
    if (disposition === 'report' || !isFrom(origin, blockedURI)) return
    if (effectiveDirective === 'connect-src') onBlocked('request')
    else if (/^(frame|child|default)-src$/.test(effectiveDirective)) onBlocked('frame')
  }
  document.addEventListener('securitypolicyviolation', listen)
  return () => document.removeEventListener('securitypolicyviolation', listen)
}

/** Browsers tell the origin alone, or the whole address. */
const isFrom = (origin: string, address: string) => address === origin || address.startsWith(`${origin}/`)
