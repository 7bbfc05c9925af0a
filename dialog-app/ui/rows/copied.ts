import { copyText } from '@latchkey/protocol/browser'
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
