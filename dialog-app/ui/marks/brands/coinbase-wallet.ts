import type { MarkDrawing } from '../mark.tsx'

export const coinbaseWallet: MarkDrawing = [
  {
    fill: '#0052ff',
    path: 'M10 1.5a8.5 8.5 0 1 1 0 17a8.5 8.5 0 0 1 0-17ZM7.6 6.8a.8.8 0 0 0-.8.8v4.8c0 .44.36.8.8.8h4.8c.44 0 .8-.36.8-.8V7.6a.8.8 0 0 0-.8-.8Z',
  },
]
