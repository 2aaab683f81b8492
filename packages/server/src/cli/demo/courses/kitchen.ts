/** Courses in the layout that `lyceum course import` reads: paths and texts. */
export const KITCHEN: readonly Readonly<Record<string, string>>[] = [
  {
    'course.md': `---
title: Sourdough from the first spoon
slug: sourdough
description: From a jar of flour and water to a loaf with a crust, in six quiet lessons.
category: Cooking
difficulty: beginner
duration: 3 weeks
settings:
  emoji: 🍞
---
You need flour, water, salt, a jar and some patience. Everything else is a habit.
`,
    '01-starter/01-flour-and-water.md': `---
title: Flour and water
duration: 8 minutes
is_preview: true
---
Stir 50 g of whole flour into 50 g of lukewarm water. Cover the jar loosely and leave it where you like to be yourself.

- **Day 1–2:** little happens. That is fine.
- **Day 3:** first bubbles, and a smell that makes you doubt. Go on.
- **Day 5:** it doubles within six hours. It has earned a name.
`,
    '01-starter/02-feeding.md': `---
title: Feeding without waste
duration: 6 minutes
---
Keep 20 g, add 40 g of flour and 40 g of water. What is left over becomes pancakes, crackers or a present for somebody who did not ask.
`,
    '01-starter/03-check.gift': `A starter is ready when it {~smells of nothing =doubles within some hours#Whatever the clock says. ~is a week old}.

A starter lives longer in the fridge. {T}

How many grams of water go with 40 g of flour in our feeding? {#40}
`,
    '02-loaf/01-folding.md': `---
title: Folding instead of kneading
duration: 12 minutes
---
Wet hands, four folds, half an hour of rest; three times. The dough tells you when it has had enough: it stops clinging to you.
`,
    '02-loaf/02-baking.md': `---
title: Into the heat
duration: 15 minutes
resources:
  - title: Table of temperatures
    url: https://example.org/bread/temperatures
---
240 °C in a closed pot for 25 minutes, then 20 more without the lid. Knock on the bottom: a hollow sound is a yes.
`,
    '02-loaf/03-your-loaf.md': `---
title: Your loaf
quiz:
  passing_score: 50
  questions:
    - question: Why is the lid on for the first half?
      options:
        - text: The steam keeps the crust soft while the loaf rises
          correct: true
        - text: It saves electricity
        - text: It keeps the flour from burning
    - type: short_answer
      question: Describe your first loaf in two sentences.
      points: 2
      explanation: There is no wrong answer here; somebody reads it.
---
Bake once before you answer.
`,
  },
  {
    'course.md': `---
title: Bici y ciudad
slug: bici-y-ciudad
description: Montar, arreglar y circular sin miedo. En español.
category: Movilidad
difficulty: beginner
duration: 2 semanas
settings:
  emoji: 🚲
---
Cuatro lecciones cortas para quien vuelve a la bici después de años.
`,
    '01-taller/01-pinchazo.md': `---
title: Reparar un pinchazo
is_preview: true
---
Desmontables, parche, paciencia. Antes de montar la cámara nueva, pasa el dedo por dentro de la cubierta: el culpable suele seguir ahí.
`,
    '01-taller/02-frenos.md':
      '# Frenos que frenan\n\nSi la maneta toca el manillar, hay que tensar el cable. Media vuelta del tornillo suele bastar.\n',
    '02-calle/01-carril.md':
      '# Tu sitio en el carril\n\nEn el centro del carril te ven. Pegado a los coches aparcados te sorprende una puerta.\n',
    '02-calle/02-repaso.gift': `Circular por el centro del carril es más seguro que pegado a los coches aparcados. {T}

¿Qué se revisa antes de poner la cámara nueva? {=El interior de la cubierta ~El sillín ~La cadena}
`,
  },
]
