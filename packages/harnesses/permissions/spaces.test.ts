import { describeMatrix } from './part.ts'

describeMatrix('spaces')
