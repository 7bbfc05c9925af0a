import type { MarkDrawing } from '../mark.tsx'

export const walletConnect: MarkDrawing = [
  {
    stroke: '#3b99fc',
    width: 2.1,
    path: 'M3.7 7.6a9.2 9.2 0 0 1 12.6 0M1.7 10.7l4.3 4.1L10 11l4 3.8 4.3-4.1',
  },
]
