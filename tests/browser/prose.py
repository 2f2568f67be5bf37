"""A reply with everything that replies may hold."""

REPLY = r"""Your **body mass index** is your weight over the square of your height[^1]:

$$
\text{BMI} = \frac{m}{h^2} = \frac{72\,\text{kg}}{(1.78\,\text{m})^2} \approx 22.7
$$

so $h^2$ counts twice, in kg/m^2^, like the H~2~O you drink.

- [x] weigh yourself in the morning
- [ ] measure your height
- see https://www.nhs.uk/bmi, or write to clinic@nhs.uk

| Class | From | To | What it means for you | Reference |
|:------|-----:|---:|:----------------------|:---------:|
| Underweight | 0 | 18.4 | Eat more, and have it looked into. | WHO |
| Normal | 18.5 | 24.9 | Keep what you do; nothing has to change here. | WHO |
| Overweight | 25.0 | 29.9 | Walk more. | WHO |

```python
def bmi(mass: float, height: float) -> float:
    # kilograms and metres
    return round(mass / height**2, 1)  # "22.7"
```

As a list of cases:

$$
f(x) = \begin{cases} x & \text{if } x > 0 \\ 0 & \text{otherwise} \end{cases}
$$

> Ask your doctor before you change a dose.

[^1]: https://www.who.int/data
"""

MIXED = r"""مؤشر كتلة الجسم هو الوزن على مربع الطول:

$$\text{BMI} = \frac{m}{h^2}$$

- [ ] قس وزنك في الصباح
- استخدم `bmi(72, 1.78)` للحساب

| الفئة | من | إلى |
|---|--:|--:|
| طبيعي | 18.5 | 24.9 |

```python
print("BMI")
```

This paragraph is in English.
"""
