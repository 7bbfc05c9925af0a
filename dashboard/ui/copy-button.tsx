import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

const confirmationMs = 1_500

/** Copies a text and confirms it. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const [outcome, setOutcome] = useState<string>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), confirmationMs)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome('Copied'),
      () => setOutcome('Not copied'),
    )
  return (
    <Button kind="text" onClick={copy} aria-live="polite">
      {outcome ?? label}
    </Button>
  )
}
