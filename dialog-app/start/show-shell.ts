/** Renders the dialog with its shell, which is loaded on demand. */
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'

type Ports = {
  isOpen: () => boolean
  /** Runs when the dialog opens or closes. */
  watch: (run: () => void) => void
  /** Loads the shell with retries and renders it. */
  mount: () => Promise<void>
  /** Runs if the shell failed to load while a flow waits for it. */
  onMissing: (error: LatchkeyError) => void
}

/** Fails an invisible dialog, so that the host page does not wait for it. The next call retries. */
export function showShell({ isOpen, watch, mount, onMissing }: Ports): void {
  let isMissing = true

  async function ask() {
    if (!isMissing) return
    isMissing = false
    try {
      await mount()
    } catch (error) {
      isMissing = true
      if (isOpen()) onMissing(toLatchkeyError(error, 'server_unreachable', 'The dialog could not be loaded'))
    }
  }

  watch(() => {
    if (isOpen()) void ask()
  })
  void ask()
}
