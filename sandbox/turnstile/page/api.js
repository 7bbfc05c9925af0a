// Stands in for https://challenges.cloudflare.com/turnstile/v0/api.js. Supports explicit rendering only.
;(() => {
  const { origin } = new URL(document.currentScript.src)
  const lifetimeMs = 300_000
  const widgets = new Map()
  let made = 0

  const elementOf = (container) =>
    typeof container === 'string' ? document.querySelector(container) : container

  /** Finds a widget by its id or container. Without an argument, returns the first. */
  const widgetOf = (named) => {
    if (named === undefined) return [...widgets.values()].at(0)
    const byId = typeof named === 'string' ? widgets.get(named) : undefined
    return byId ?? [...widgets.values()].find(({ element }) => element === elementOf(named))
  }

  const clear = (widget) => {
    widget.frame?.remove()
    widget.frame = undefined
    widget.token = undefined
    widget.isExpired = false
    clearTimeout(widget.expiry)
  }

  const start = (widget, changed = {}) => {
    clear(widget)
    Object.assign(widget.params, changed)
    const { sitekey, action = '', cData = '', theme = 'auto', language = 'auto' } = widget.params
    const query = new URLSearchParams({
      ...{ id: widget.id, sitekey, action, cdata: cData, theme, language },
      ...{ hostname: location.hostname, parent: location.origin },
    })
    const frame = document.createElement('iframe')
    frame.src = `${origin}/turnstile/widget?${query}`
    frame.title = 'Widget containing a Cloudflare security challenge'
    frame.width = '300'
    frame.height = '65'
    frame.style.border = 'none'
    frame.hidden = widget.params.appearance === 'interaction-only'
    widget.frame = frame
    widget.element.append(frame)
  }

  const heard = {
    passed(widget, { token }) {
      widget.token = token
      widget.expiry = setTimeout(() => {
        widget.isExpired = true
        widget.token = undefined
        widget.params['expired-callback']?.()
      }, lifetimeMs)
      widget.params.callback?.(token)
    },
    failed(widget, { code }) {
      const isHandled = widget.params['error-callback']?.(code)
      if (!isHandled) console.warn(`[Cloudflare Turnstile] Error: ${code}.`)
      if ((widget.params.retry ?? 'auto') === 'auto') {
        setTimeout(() => widgets.has(widget.id) && start(widget), widget.params['retry-interval'] ?? 8_000)
      }
    },
    interactive(widget) {
      widget.frame.hidden = false
      widget.params['before-interactive-callback']?.()
    },
    pressed: (widget) => widget.params['after-interactive-callback']?.(),
    timeout: (widget) => widget.params['timeout-callback']?.(),
  }

  addEventListener('message', ({ origin: from, source, data }) => {
    if (from !== origin) return
    const widget = widgets.get(data?.id)
    if (widget?.frame?.contentWindow === source && Object.hasOwn(heard, data.event)) {
      heard[data.event](widget, data)
    }
  })

  window.turnstile = {
    render(container, params = {}) {
      const element = elementOf(container)
      if (!element) throw new Error('[Cloudflare Turnstile] Unable to find a container.')
      if (typeof params.sitekey !== 'string') {
        throw new Error('[Cloudflare Turnstile] Invalid or missing type for parameter "sitekey".')
      }
      made += 1
      const widget = { id: `cf-chl-widget-${made}`, element, params: { ...params } }
      widgets.set(widget.id, widget)
      if (params.execution !== 'execute') start(widget)
      return widget.id
    },
    execute(named, params) {
      const widget = widgetOf(named)
      if (widget && widget.token === undefined) start(widget, params)
    },
    reset(named) {
      const widget = widgetOf(named)
      if (!widget) return
      clear(widget)
      if (widget.params.execution !== 'execute') start(widget)
    },
    remove(named) {
      const widget = widgetOf(named)
      if (!widget) return
      clear(widget)
      widgets.delete(widget.id)
    },
    getResponse: (named) => widgetOf(named)?.token,
    isExpired: (named) => widgetOf(named)?.isExpired ?? false,
    ready: (run) => run(),
  }
})()
