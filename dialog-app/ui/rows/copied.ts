import { useEffect, useState } from 'react'

/** The duration of the copied mark. */
const copiedMs = 1_600

/** Copies a text on press and shows a short confirmation. */
export function useCopied(text: string): { copied: boolean; copy: () => void } {
  const [copies, setCopies] = useState(0)
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (copies === 0) return
    setCopied(true)
    const timer = setTimeout(() => setCopied(false), copiedMs)
    return () => clearTimeout(timer)
  }, [copies])
  const copy = async () => {
    if (await copyText(text)) setCopies((count) => count + 1)
  }
  return { copied, copy: () => void copy() }
}

/** Copies the text and returns whether it worked. Requires a user gesture. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // The host page's permissions policy may block the Clipboard API; the old command needs no permission.
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
