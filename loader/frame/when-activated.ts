/** A browser that prerenders a page holds its frames from elsewhere back until somebody sees it: so do we, with their deadlines. */
export function whenActivated<T>(run: () => Promise<T>): Promise<T> {
  if (!Reflect.get(document, 'prerendering')) return run()
  return new Promise((resolve) =>
    document.addEventListener('prerenderingchange', () => resolve(run()), { once: true }),
  )
}
