/** Asked by whoever watches this process, on any hostname and through whatever. */
export const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz'])
