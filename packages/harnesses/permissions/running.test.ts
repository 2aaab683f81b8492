import { describeMatrix } from './part.ts'

describeMatrix('running')
