import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'

export const cooking: Topic = {
  key: 'cooking',
  language: 'en',
  lists: {
    field: ['cooking'],
    thing:
      words(`sourdough, dal, slow-roast tomatoes, fermented chilli sauce, ramen at home, risotto, flatbreads, weeknight curries, pickles, braised cabbage, fresh pasta,
      mushroom stock, dumplings, roast chicken, preserved lemons, shakshuka, one-pot dinners, focaccia, kimchi, beans from dried`),
    gear: words(`cast iron pan, pressure cooker, stand mixer, carbon steel wok, probe thermometer, dutch oven, mandoline, rice cooker, chef’s knife, whetstone, pasta machine,
      pizza stone, food processor, pestle and mortar, bread tin, steamer basket`),
    problem:
      words(`a dense crumb, split sauces, soggy bottoms, burnt garlic, sticking dumplings, watery curries, bland beans, tough meat, over-salted soup, collapsing soufflés,
      rubbery eggs, a smoke alarm with opinions, gluey rice, crying over onions`),
    doing:
      words(`feeding the starter, toasting spices, batch cooking on Sundays, salting early, folding dumplings, browning butter, sharpening knives, baking before breakfast,
      cooking through one book, making stock from scraps, resting the dough, planning the week’s meals`),
    did: words(`baked a loaf with an ear, made kimchi for the first time, cooked for fourteen people, cured my own bacon, folded ninety dumplings, got the tofu crisp, made pasta without a machine,
      used up everything in the freezer, finally nailed the risotto, cooked my grandmother’s goulash from memory, opened a two-year-old jar of preserved lemons, made croissants from scratch`),
    where:
      words(`in a kitchen of four square metres, on a single induction plate, in a shared flat, for a family of six, on a camping stove, without an oven, on a tight budget,
      at high altitude, for picky children, in a rented kitchen, with a tiny freezer, after a night shift`),
    goal: words(`get an open crumb, cook dinner in twenty minutes, eat less meat without missing it, get crisp tofu, make a decent stock, use up vegetables, cook dried beans that taste of something,
      keep a starter alive on holiday, get a proper sear, feed ten people without panic, bake without a scale, cook for one`),
    dish: words(`lentil soup, chickpea stew, mushroom ragù, fish curry, potato gratin, leek tart, aubergine parmigiana, black bean chilli, miso ramen, carrot curry, pumpkin risotto,
      onion soup, spinach dal, tomato tart, barley salad, cabbage soup`),
    spice: words(`cumin, smoked paprika, coriander seed, fennel seed, turmeric, black cardamom, sumac, star anise, caraway, mustard seed`),
  },
  cases: [
    {
      titles: lines(`
        Sourdough: flat loaf, dense crumb
        Loaf number {k=3-30} and still a brick
        Why does my sourdough spread like a pancake?`),
      story: lines(`
        {k=3-30} loaves in, and they still come out [flat|dense], with a gummy line at the bottom. {450-600/10} g flour, {65-80} % hydration, starter doubles in about {4-9} hours.
        The dough looks lively until I turn it out. Then it spreads over the board [like soup|and stays there]. Kitchen is at {18-25} °C, bulk takes {4-9} hours.`),
      tried: lines(`
        More folds, less water, another flour. The taste is great, the shape is not.
        I proof overnight in the fridge in a bowl with a towel. [No basket yet.|The tin version is fine.]`),
      ask: lines(`
        Under- or over-proofed?
        Is it the shaping, the flour or me?`),
      answers: lines(`
        Gummy line and dense: under-proofed. Give it more time in bulk, until it has grown by half and jiggles.
        Spreading on the board sounds over-proofed to me. Cut bulk by an hour and compare.
        Take a straight-sided jar with a bit of the dough in it and a rubber band. Stop guessing, look at the jar.
        Shaping! Build tension by pulling it towards you over an unfloured surface. It took me twenty loaves as well.
        How old is the starter? Mine only got strong after six weeks of feeding twice a day.
        Bread flour with at least 12 % protein. Cheap flour will do exactly what you describe.`),
    },
    {
      titles: lines(`
        {Dish} that tastes of nothing – rescue?
        My {dish} is always bland
        What does {dish} need to taste of something?`),
      story: lines(`
        I made {dish} {time*} for {2-8} people, followed the recipe to the letter, and it was [bland|flat]. More salt made it [salty and bland|only salty].
        My {dish} looks right and tastes of [warm water|cardboard]. I use {spice}, onions, garlic and stock from a cube.`),
      ask: lines(`
        What is missing?
        How do you build flavour in such a dish?`),
      answers: lines(`
        Acid. A squeeze of lemon or a spoon of vinegar at the end, and suddenly it tastes of itself.
        Brown the onions for twenty minutes, not four. No recipe dares to write that.
        Toast the {spice} whole and grind it. Old powder from the back of the shelf is dust.
        A spoon of miso or soy sauce in the background. Nobody will notice, everybody will ask.
        Salt early and in small steps, not at the table.
        Fat carries flavour: bloom the {spice} in oil before the liquid goes in.
        Let it stand overnight. {Dish} is never good on the same day in my house.`),
    },
    {
      titles: lines(`
        Everything sticks to my {k=20-30/2} cm pan
        Carbon steel or cast iron: how to stop the sticking
        Re-seasoning a pan, {k=20-30/2} cm, rusty in places`),
      story: lines(`
        I bought a {k=20-30/2} cm pan {span} ago, seasoned it as the leaflet says, and eggs still stick as if [glued|I hated them].
        {Buddy*} left my pan in the sink overnight. It is rusty, and the seasoning comes off in [flakes|patches].`),
      tried: lines(`
        Salt and oil, oven at 250 °C, {2-5} layers. It looks [blotchy|sticky].
        I have scrubbed it with steel wool until it was grey.`),
      ask: lines(`
        Start over or cook through it?
        How thin is a thin layer of oil?`),
      answers: lines(`
        Oil it, then wipe it off as if you had made a mistake. That is thin. Sticky means too much.
        Forget the oven. Fry potatoes and onions for a week and never look back.
        Heat first, then fat, then wait half a minute, then eggs. Most sticking is temperature.
        Rust is nothing. Vinegar and water for half an hour, dry on the stove, oil, done.
        No tomatoes in it for the first month.`),
    },
    {
      titles: lines(`
        Cooking for {k=8-24} people with one oven
        Menu for {k=8-24} guests, {k2=2-4} of them vegan
        Dinner for {k=8-24}: what can I prepare the day before?`),
      story: lines(`
        I have promised dinner for {k=8-24} people {day*} evening, {k2=2-4} of them vegan, one without gluten. [My table seats six.|I own two big pots.]
        {Buddy*} turns {40-70} and I said “I will cook”. {k=8-24} guests, one oven, {where*}.`),
      ask: lines(`
        What would you make?
        How do you keep everything warm?`),
      answers: lines(`
        One big pot that everybody can eat, {dish} for instance, and toppings on the side. Done.
        Nothing that has to be fried at the last minute. You want to sit with them.
        Three cold starters, one hot main, a cake that {buddy*} brings. People remember the evening, not the third side dish.
        Rice in the oven: covered tray, boiling water, twenty-five minutes. Works for {k=8-24} without stirring.
        Write a timetable backwards from the moment of serving. It sounds silly and it saved me.
        A picnic cooler keeps pots hot for hours. Line it with towels.`),
    },
  ],
  shows: lines(`
    {500-900/10} g flour, {320-600/10} g water, {10-18} g salt, and about {18-30} hours of doing nothing.
    The kitchen looked like a crime scene, the plates came back empty.
    Served with {dish*} and a lot of bread. There were no leftovers, which is a first.
    I used twice the {spice} and half the sugar of the recipe, and would do it again.
    The secret was patience: {2-5} hours on the lowest heat, lid slightly open.
    My kids ate it. MY KIDS ATE IT.
    It cost {4-14} euros for {4-8} portions, and most of that was the cheese.
    The crust sang when it came out of the oven. I stood there and listened like an idiot.`),
  details: lines(`
    The {spice} came from the shop round the corner and made all the difference.
    I let it rest overnight, mostly because I fell asleep.
    Oven at {200-250/10} °C, {15-45/5} minutes, the last ones without the lid.
    I had no cream, so I took {2-4} spoons of tahini.
    The recipe said serves four. It served two.
    A bit too much salt for me, exactly right for everyone else.
    Next time with more lemon.
    The leftovers turned into a filling for dumplings.`),
  tips: lines(`
    Salt the water until it tastes like a mild soup.
    Sharpen the knife before you blame the onion.
    Taste at the start, in the middle and at the end.
    Read the recipe to the end before you turn on the stove.
    Toast the spices whole and grind them afterwards.
    Add acid at the end when something tastes flat.
    Freeze ginger and grate it frozen.
    Rest the meat for half as long as you cooked it.
    Keep the parmesan rinds for stock.
    Weigh flour, never measure it in cups.
    Dry the mushrooms in the pan first, then add fat.
    Cook twice the rice and fry the rest tomorrow.
    Put a damp cloth under the board so it does not slide.
    Take the pan off the heat before you add the garlic.`),
  opinions: lines(`
    Garlic presses are fine. Life is short.
    Most recipes lie about how long onions take.
    You need three pans and one good knife, the rest is decoration.
    Washing up as you go is the real skill in cooking.
    Cookbooks with pictures of the author are never as good as those with pictures of the food.
    Truffle oil has never improved anything.
    Leftovers are the better meal.
    Frozen peas beat fresh peas on 360 days a year.
    A pinch of sugar in tomato sauce is not a crime.
    Measuring is freedom: when I weigh, I can think about something else.`),
  replies: lines(`
    Recipe, please!
    How long did you let it rest?
    I do that with {spice*}, have you tried it?
    My grandmother would say: more butter.
    That crust! Which oven temperature?
    Does it freeze well?
    Works with chickpeas too, tested {time*}.
    Now I am hungry and it is {hour*}.
    Could you make it without dairy?
    Ours was gone in ten minutes.
    I add a spoon of vinegar to that, it lifts everything.
    Made {dish*} from your tip. The whole family says thank you.
    Careful with the salt if your stock is from a cube.`),
  polls: [
    {
      question: 'What do you cook when you have no energy at all?',
      options: ['Pasta with whatever', 'Eggs', 'Toast counts as cooking', 'Something from the freezer', 'I call the pizza place'],
    },
    { question: 'Salted or unsalted butter?', options: ['Salted', 'Unsalted', 'Both in the fridge', 'Olive oil'] },
    {
      question: 'How do you plan your meals?',
      options: ['A list for the week', 'I decide at the shop', 'I decide in front of the fridge', 'Somebody else plans'],
    },
    { question: 'Which one could you not live without?', options: ['Onions', 'Garlic', 'Lemons', 'Chilli', 'Cheese'] },
  ],
  resources: [
    ['Salt, time and a pot of beans', 'the longest and best text about beans'],
    ['The bread timetable', 'how to bake around a job'],
    ['Spices: whole, ground, stale', 'with a test that you can do at home'],
    ['Twenty suppers from an almost empty fridge', 'more a way of thinking than recipes'],
    ['Fermenting vegetables safely', 'salt, temperature, and what mould looks like'],
    ['A knife is enough', 'drawings of grips and cuts'],
    ['What restaurants do with rice', 'three methods compared'],
    ['My grandmother’s index cards', 'scanned, with her comments'],
  ],
  tables: [
    {
      titles: lines(`
        My sourdough schedule around a day job
        Bake on a weekday: the timetable
        How I fit {thing} into a working week`),
      intro: lines(`
        A few of you asked for the plan, so here it is. It assumes {18-24} °C in the kitchen.
        Tested over {span*}, {where*}. Adjust to your life.`),
      head: 'Step | When | Hands-on | Note',
      rows: lines(`
        Feed the starter | {20-22}:{10-55} | 3 min | warm spot
        Mix | 7:{10-50} | {6-12} min | before the coffee
        First fold | 7:55 | 2 min | wet hands
        Second fold | 8:{15-35} | 2 min | on the way to the door
        Shape | 18:{10-50} | {5-9} min | flour on everything
        Into the fridge | {19-20}:{10-50} | 1 min | covered
        Preheat | 6:{10-30} | 1 min | as hot as it gets
        Bake | 7:{10-25} | 4 min | steam for the first half
        Cool | until you are home | – | the hardest part`),
      columns: [],
      outro: lines(`
        Total hands-on time: under half an hour.
        Cutting it while it is hot is forbidden. I do it every time.`),
    },
  ],
}
