import { adminLimits, adminProposalRoutes } from '@latchkey/protocol/admin'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Action } from '../shell/action.tsx'
import { TextField } from '../ui/fields.tsx'

type ProposeProps = {
  app: string
  label: string
  settings: Record<string, unknown>
  isDisabled?: boolean
  /** Fields of the change. */
  children?: ReactNode
}

/** Proposes a change of settings to another operator, and opens the proposal. */
export function Propose({ app, label, settings, isDisabled = false, children }: ProposeProps) {
  const navigate = useNavigate()
  const [note, setNote] = useState('')
  const body = { settings, ...(note.trim() !== '' && { note: note.trim() }) }
  return (
    <Action
      label={label}
      title="Propose a change"
      description="Another operator must approve it. It can be applied 24 hours later."
      verb="Propose"
      isDisabled={isDisabled}
      route={adminProposalRoutes.createProposal}
      input={{ params: { app }, body }}
      onDone={({ output }) =>
        navigate({ to: '/apps/$app/approvals/$proposal', params: { app, proposal: output.id } })
      }
    >
      {children}
      <TextField
        label="Note"
        hint="Why you propose it, for the other operator."
        value={note}
        maxLength={adminLimits.maxReasonLength}
        onChange={({ target }) => setNote(target.value)}
      />
    </Action>
  )
}
