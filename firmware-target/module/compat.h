/* SPDX-License-Identifier: GPL-2.0 */
/* What differs between the kernels that the module is built for, 5.10 to 6.12. */
#ifndef RIG_COMPAT_H
#define RIG_COMPAT_H

#include <linux/err.h>
#include <linux/gpio/driver.h>
#include <linux/gpio/machine.h>
#include <linux/string.h>
#include <linux/version.h>

#if IS_ENABLED(CONFIG_GPIOLIB)

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
static inline struct gpio_chip *rig_find_chip(const char *label)
{
	/* The reference is kept: the chip stays as long as the module. */
	struct gpio_device *device = gpio_device_find_by_label(label);

	return device ? gpio_device_get_chip(device) : NULL;
}
#else
static inline int rig_is_chip(struct gpio_chip *chip, void *label)
{
	return chip->label && !strcmp(chip->label, label);
}

static inline struct gpio_chip *rig_find_chip(const char *label)
{
	return gpiochip_find((void *)label, rig_is_chip);
}
#endif

static inline struct gpio_desc *rig_request_line(const char *label, int line)
{
	struct gpio_chip *chip = rig_find_chip(label);

	if (!chip || line < 0 || line >= chip->ngpio)
		return ERR_PTR(-ENODEV);
	return gpiochip_request_own_desc(chip, line, "irq-off-marker", GPIO_ACTIVE_HIGH,
					 GPIOD_OUT_LOW);
}

static inline void rig_free_line(struct gpio_desc *pin)
{
	gpiochip_free_own_desc(pin);
}

#else

static inline struct gpio_desc *rig_request_line(const char *label, int line)
{
	return ERR_PTR(-ENODEV);
}

static inline void rig_free_line(struct gpio_desc *pin) { }

#endif

#endif /* RIG_COMPAT_H */
