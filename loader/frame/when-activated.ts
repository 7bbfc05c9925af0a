/**
 * Runs a callback once the page is visible. Prerendered pages do not load cross-origin frames, so deadlines
 * start later too.
 */
export function whenActivated<T>(run: () => Promise<T>): Promise<T> {
  if (!Reflect.get(document, 'prerendering')) return run()
  return new Promise((resolve) =>
    document.addEventListener('prerenderingchange', () => resolve(run()), { once: true }),
  )
}
