import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'

/** How long the sign stays that it was copied. */
const copiedMs = 1_600

/** Copies a text at a press, and says for a moment that it did. */
export function useCopied(text: string): { readonly copied: boolean; readonly copy: () => void } {
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
