const query = new URLSearchParams(location.search)
const { id, parent: parentOrigin, ...asked } = Object.fromEntries(query)
const element = (name) => document.getElementById(name)

const tell = (event, more = {}) => parent.postMessage({ id, event, ...more }, parentOrigin)

async function challenge(more = {}) {
  const response = await fetch('/turnstile/challenge', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...asked, ...more }),
  })
  const { outcome, ...said } = await response.json()
  if (outcome === 'interactive') {
    element('checking').hidden = true
    element('question').hidden = false
  }
  tell(outcome, said)
}

element('human').addEventListener('change', () => {
  tell('pressed')
  challenge({ pressed: 'yes' })
})
challenge()
