import { announce } from './elements.ts'

const shownMs = 1_600

/** Copies what `read` gives at that moment, and says so on the button itself. */
export const copiesOnClick = (button: HTMLButtonElement, read: () => string) => {
  const label = button.firstChild
  const text = label?.textContent ?? ''
  let resetting: ReturnType<typeof setTimeout> | undefined
  const say = (word: string) => {
    if (label !== null) label.textContent = word
  }
  button.addEventListener('click', async () => {
    clearTimeout(resetting)
    const copied = await navigator.clipboard.writeText(read()).then(
      () => true,
      () => false,
    )
    say(copied ? 'Copied' : 'Not copied')
    announce(copied ? 'Copied' : 'The browser did not allow copying')
    resetting = setTimeout(() => say(text), shownMs)
  })
}
