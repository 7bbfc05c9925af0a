// Reloads the page when its data has changed, unless the user is typing.

const { live } = document.querySelector('script[data-live]').dataset
const sign = document.getElementById('live')
const everyMs = 1_000

const show = (state, text) => {
  sign.dataset.state = state
  sign.textContent = text
}

const isTyping = () =>
  [...document.querySelectorAll('input:not([type="hidden"])')].some(
    (field) => field === document.activeElement || field.value !== field.defaultValue,
  )

let known
const look = async () => {
  try {
    const answer = await fetch(live, { signal: AbortSignal.timeout(5_000) })
    if (!answer.ok) throw new Error(String(answer.status))
    const text = await answer.text()
    show('live', 'Live')
    const isNew = known !== undefined && text !== known
    if (known === undefined) known = text
    if (isNew && !isTyping()) location.reload()
  } catch {
    show('lost', 'Not connected')
  }
  setTimeout(look, everyMs)
}
look()
