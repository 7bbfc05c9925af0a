// Tells the window of this origin that has the state what Google said. It says that it heard it; then this one is done.
;(() => {
  const { channel: name, answer, heard, waitMs } = document.currentScript.dataset
  const said = new URLSearchParams(location.search)
  // A code is for that window, and for no list of what was visited.
  history.replaceState(null, '', location.pathname)
  const state = said.get('state') ?? ''
  const channel = new BroadcastChannel(name)
  const late = setTimeout(() => {
    channel.close()
    for (const element of document.querySelectorAll('[data-late], [data-early]'))
      element.hidden = !element.hidden
  }, Number(waitMs))
  channel.onmessage = ({ data }) => {
    if (data?.type !== heard || data.state !== state) return
    clearTimeout(late)
    channel.close()
    close()
  }
  const told = { code: said.get('code') ?? '', error: said.get('error') ?? '' }
  channel.postMessage({ type: answer, state, ...told })
})()
