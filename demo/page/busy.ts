/** Runs an action of a button: the button shows that it works, keeps its width, and takes no second click. */
export const whileBusy = async (button: HTMLButtonElement, action: () => Promise<void>) => {
  if (button.ariaBusy === 'true') return
  button.ariaBusy = 'true'
  try {
    await action()
  } finally {
    button.ariaBusy = null
  }
}
