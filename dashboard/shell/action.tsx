import type { AdminRoute } from '@latchkey/protocol/admin'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type CallAnswer, type CallInput, callAdmin } from '../api/call.ts'
import { toCurl } from '../api/curl.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Modal } from '../ui/modal.tsx'
import { Problem } from '../ui/states.tsx'

/** Makes a changing call, and reads everything on the screen again afterwards. */
export function useChange<const R extends AdminRoute>(route: R, onDone?: (answer: CallAnswer<R>) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: CallInput<R>) => callAdmin(route, input),
    onSuccess: async (answer) => {
      onDone?.(answer)
      await client.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== 'session' })
    },
  })
}

type ActionProps<R extends AdminRoute> = {
  /** The label of the button that opens the dialog. */
  label: string
  title: string
  description?: ReactNode
  /** A verb for the button that makes the call. */
  verb: string
  isDangerous?: boolean
  /** Whether a field is invalid. */
  isDisabled?: boolean
  route: R
  input: CallInput<R>
  /** Fields of the call. */
  children?: ReactNode
  onDone?: (answer: CallAnswer<R>) => void
}

/** A button that opens a dialog, which explains the call and makes it. */
export function Action<const R extends AdminRoute>({
  label,
  title,
  description,
  verb,
  isDangerous = false,
  isDisabled = false,
  route,
  input,
  children,
  onDone,
}: ActionProps<R>) {
  const [isOpen, setIsOpen] = useState(false)
  const change = useChange(route, (answer) => {
    setIsOpen(false)
    onDone?.(answer)
  })
  const setOpen = (next: boolean) => {
    setIsOpen(next)
    change.reset()
  }
  return (
    <>
      <Button kind={isDangerous ? 'danger' : 'quiet'} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={title}
        description={description}
        aside={<CopyButton label="Copy as curl" text={toCurl(route, input as CallInput, location.origin)} />}
        buttons={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button
              kind={isDangerous ? 'danger' : 'primary'}
              disabled={change.isPending || isDisabled}
              onClick={() => change.mutate(input)}
            >
              {verb}
            </Button>
          </>
        }
      >
        {children}
        <Problem error={change.error} />
      </Modal>
    </>
  )
}
