import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Check, TextField } from '../../../ui/field.tsx'
import { withItemMoved } from '../../../ui/move-buttons.tsx'
import style from '../teaching.module.css'
import { QuestionEditor } from './question-editor.tsx'
import { type DraftQuestion, KINDS, newQuestion, type QuizDraft } from './quiz-draft.ts'

interface Props {
  readonly quiz: QuizDraft
  readonly onChange: (quiz: QuizDraft) => void
}

const MINUTE = 60

const Rules = ({ quiz: { settings, questions }, onChange }: Props) => {
  const { t } = useTranslation('teaching')
  const set = (change: Partial<typeof settings>) => onChange({ settings: { ...settings, ...change }, questions })
  const number = (value: string) => Math.max(0, Math.round(Number(value)) || 0)
  return (
    <Card className={style.form}>
      <h2>{t('quiz.rules')}</h2>
      <div className={style.pair}>
        <TextField
          label={t('quiz.passing')}
          type="number"
          min={0}
          max={100}
          value={settings.passing_score}
          onChange={(event) => set({ passing_score: Math.min(100, number(event.currentTarget.value)) })}
        />
        <TextField
          label={t('quiz.attempts')}
          hint={t('quiz.zeroAttempts')}
          type="number"
          min={0}
          max={1000}
          value={settings.max_attempts}
          onChange={(event) => set({ max_attempts: number(event.currentTarget.value) })}
        />
        <TextField
          label={t('quiz.minutes')}
          hint={t('quiz.zeroMinutes')}
          type="number"
          min={0}
          max={10080}
          step="any"
          defaultValue={settings.time_limit / MINUTE}
          onChange={(event) => set({ time_limit: Math.round(Math.max(0, Number(event.currentTarget.value) || 0) * MINUTE) })}
        />
      </div>
      <Check
        label={t('quiz.show')}
        checked={settings.show_correct_answers}
        onChange={(event) => set({ show_correct_answers: event.currentTarget.checked })}
      />
      <Check
        label={t('quiz.random')}
        checked={settings.randomize_questions}
        onChange={(event) => set({ randomize_questions: event.currentTarget.checked })}
      />
    </Card>
  )
}

export const QuizBuilder = ({ quiz, onChange }: Props) => {
  const { t } = useTranslation('teaching')
  const { settings, questions } = quiz
  const setQuestions = (list: readonly DraftQuestion[]) => onChange({ settings, questions: list })
  const words = [t('quiz.true'), t('quiz.false')] as const
  const points = questions.reduce((sum, question) => sum + question.points, 0)
  return (
    <>
      <Rules quiz={quiz} onChange={onChange} />
      <section className={style.form} aria-labelledby="questions">
        <div className={style.head}>
          <h2 id="questions">{t('quiz.questions', { count: questions.length })}</h2>
          <p className={style.soft}>{t('quiz.points', { count: points })}</p>
        </div>
        {questions.map((question, n) => (
          <QuestionEditor
            key={question.id}
            question={question}
            place={n}
            all={questions.length}
            onChange={(changed) => setQuestions(questions.map((each) => (each.id === question.id ? changed : each)))}
            onMove={(to) => setQuestions(withItemMoved(questions, n, to))}
            onRemove={() => setQuestions(questions.filter(({ id }) => id !== question.id))}
          />
        ))}
        <div className={style.acts}>
          {KINDS.map((kind) => (
            <Button key={kind} icon={<Plus aria-hidden="true" />} onClick={() => setQuestions([...questions, newQuestion(kind, words)])}>
              {t(`quiz.kind.${kind}`)}
            </Button>
          ))}
        </div>
      </section>
    </>
  )
}
