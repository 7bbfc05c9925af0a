/** Copies a text and returns whether it worked. Works only inside a click or key press of the user. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // An embedding page may deny the Clipboard API to frames; the old command needs no permission.
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const focusedElement = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.setProperty('position', 'fixed')
  field.style.setProperty('opacity', '0')
  document.body.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } finally {
    field.remove()
    if (focusedElement instanceof HTMLElement) focusedElement.focus()
  }
}
