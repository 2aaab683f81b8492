import { Plus, Trash2, X } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import field from '../../../ui/field.module.css'
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx'
import { MoveButtons } from '../../../ui/move-buttons.tsx'
import teaching from '../teaching.module.css'
import style from './question-editor.module.css'
import { type DraftOption, type DraftQuestion, KINDS, type Kind, newOption, withType } from './quiz-draft.ts'

interface Props {
  readonly question: DraftQuestion
  readonly place: number
  readonly all: number
  readonly onChange: (question: DraftQuestion) => void
  readonly onMove: (to: number) => void
  readonly onRemove: () => void
}

const Options = ({ question, onChange }: Pick<Props, 'question' | 'onChange'>) => {
  const { t } = useTranslation('teaching')
  const name = useId()
  const { options, type } = question
  const several = type === 'multiple_select'
  const set = (list: readonly DraftOption[]) => onChange({ ...question, options: list })
  const mark = (id: string, on: boolean) =>
    set(options.map((option) => ({ ...option, is_correct: option.id === id ? on : several ? option.is_correct : false })))
  return (
    <fieldset className={style.options}>
      <legend>{t(several ? 'quiz.optionsSeveral' : 'quiz.options')}</legend>
      {options.map(({ id, text, is_correct }, n) => (
        <div key={id} className={style.option}>
          <input
            type={several ? 'checkbox' : 'radio'}
            name={name}
            checked={is_correct}
            aria-label={t('quiz.isCorrect', { position: n + 1 })}
            onChange={(event) => mark(id, event.currentTarget.checked)}
          />
          <input
            className={field.input}
            value={text}
            maxLength={1000}
            aria-label={t('quiz.optionNumber', { position: n + 1 })}
            onChange={(event) => set(options.map((option) => (option.id === id ? { ...option, text: event.target.value } : option)))}
          />
          {type !== 'true_false' && (
            <IconButton
              label={t('quiz.removeOption', { position: n + 1 })}
              disabled={options.length <= 2}
              onClick={() => set(options.filter((option) => option.id !== id))}
            >
              <X aria-hidden="true" />
            </IconButton>
          )}
        </div>
      ))}
      {type !== 'true_false' && (
        <div>
          <Button kind="quiet" icon={<Plus aria-hidden="true" />} onClick={() => set([...options, newOption()])}>
            {t('quiz.addOption')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

/** Edits one question: text, answers, correct answers and explanation. */
export const QuestionEditor = ({ question, place, all, onChange, onMove, onRemove }: Props) => {
  const { t } = useTranslation('teaching')
  const title = t('quiz.questionNumber', { position: place + 1 })
  return (
    <Card className={teaching.form} aria-label={title}>
      <header className={style.head}>
        <h3>{title}</h3>
        <MoveButtons
          id={`question-${question.id}`}
          title={title}
          isFirst={place === 0}
          isLast={place === all - 1}
          onMove={(step) => onMove(place + step)}
        />
        <IconButton label={t('quiz.remove', { position: place + 1 })} onClick={onRemove}>
          <Trash2 aria-hidden="true" />
        </IconButton>
      </header>
      <TextArea
        label={t('quiz.question')}
        value={question.question}
        maxLength={2000}
        required
        onChange={(event) => onChange({ ...question, question: event.currentTarget.value })}
      />
      <div className={style.pair}>
        <SelectField
          label={t('quiz.type')}
          value={question.type}
          onChange={(event) => onChange(withType(question, event.currentTarget.value as Kind, [t('quiz.true'), t('quiz.false')]))}
        >
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`quiz.kind.${kind}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('quiz.points')}
          type="number"
          min={0}
          max={1000}
          value={question.points}
          onChange={(event) => onChange({ ...question, points: Math.max(0, Math.round(Number(event.currentTarget.value)) || 0) })}
        />
      </div>
      {question.type === 'short_answer' ? (
        <TextArea
          label={t('quiz.acceptedAnswers')}
          hint={t('quiz.acceptedAnswersHint')}
          value={question.correct_answer}
          maxLength={500}
          onChange={(event) => onChange({ ...question, correct_answer: event.currentTarget.value })}
        />
      ) : (
        <Options question={question} onChange={onChange} />
      )}
      <TextArea
        label={t('quiz.explanation')}
        hint={t('quiz.explanationHint')}
        value={question.explanation}
        maxLength={5000}
        onChange={(event) => onChange({ ...question, explanation: event.currentTarget.value })}
      />
    </Card>
  )
}
