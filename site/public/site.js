// Shows guides for several frameworks as tabs. Without this script all of them are visible, one below the other.

const storageKey = 'latchkey-docs:guide'

const store = {
  read: () => {
    try {
      return localStorage.getItem(storageKey)
    } catch {
      return null
    }
  },
  write: (value) => {
    try {
      localStorage.setItem(storageKey, value)
    } catch {
      // Storage is blocked: the choice lasts for this page.
    }
  },
}

for (const [group, container] of document.querySelectorAll('.guides').entries()) {
  const panels = [...container.querySelectorAll(':scope > .guide')]
  const list = document.createElement('div')
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Framework')
  const tabs = panels.map((panel, index) => {
    const heading = panel.querySelector('h2')
    const tab = document.createElement('button')
    tab.type = 'button'
    tab.id = `guide-${group}-${index}`
    tab.textContent = heading.textContent
    tab.setAttribute('role', 'tab')
    panel.id = `guide-panel-${group}-${index}`
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', tab.id)
    tab.setAttribute('aria-controls', panel.id)
    list.append(tab)
    return tab
  })
  const select = (chosen) => {
    for (const [index, tab] of tabs.entries()) {
      const isChosen = index === chosen
      tab.setAttribute('aria-selected', String(isChosen))
      tab.tabIndex = isChosen ? 0 : -1
      panels[index].hidden = !isChosen
    }
    // Reads the layout with the next frame, not during the load of the page.
    requestAnimationFrame(() => {
      list.scrollLeft = tabs[chosen].offsetLeft - 16
    })
  }
  const choose = (index) => {
    select(index)
    store.write(tabs[index].textContent)
  }
  for (const [index, tab] of tabs.entries()) tab.addEventListener('click', () => choose(index))
  list.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(document.activeElement)
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (at < 0 || next === undefined) return
    event.preventDefault()
    const index = (next + tabs.length) % tabs.length
    choose(index)
    tabs[index].focus()
  })
  const showAnchor = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    const index = panels.findIndex((panel) => panel.contains(target))
    if (index < 0) return false
    select(index)
    target.scrollIntoView()
    return true
  }
  container.prepend(list)
  const stored = tabs.findIndex(({ textContent }) => textContent === store.read())
  if (!showAnchor()) select(Math.max(stored, 0))
  addEventListener('hashchange', showAnchor)
}

// Wide tables and code blocks scroll sideways, so the keyboard has to reach them.
const regions = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0
    else target.removeAttribute('tabindex')
  }
})
for (const region of document.querySelectorAll('.sl-markdown-content :is(table, pre)'))
  regions.observe(region)
